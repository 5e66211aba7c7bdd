import { useAgent } from '../app/agent-store.js';
import { useStudio } from '../app/studio.js';
import { visibleText } from '../content/visible-text.js';

/** Nobody answers: what was tried, what to look at, and a way to try again. */
export function AgentDown() {
  const view = useAgent();
  const { agent, plug } = useStudio();
  if (view.state !== 'down') return null;
  return (
    <section aria-label="The agent can not be reached" className="column py-6">
      <div role="alert" className="border-l-2 border-ink pl-3">
        <h1 className="font-semibold">The agent can not be reached</h1>
        <p className="mt-1 text-sm [overflow-wrap:anywhere]">
          <span className="alarm">{view.error.reason}</span> {visibleText(view.error.message.slice(0, 500))}
        </p>
        <ul className="mt-2 list-disc pl-5 text-sm text-muted">
          {!plug.isOn && <li>The switch “Connection” at the top is off: turn it on.</li>}
          <li>
            Is it running? In the folder of the project: <code className="font-mono text-ink">npm start</code>
          </li>
          <li>
            Does its card open at <code className="font-mono text-ink">{location.origin}/.well-known/agent-card.json</code>?
          </li>
        </ul>
        <button type="button" className="boxed mt-3" disabled={view.isRetrying} onClick={() => void agent.retry()}>
          {view.isRetrying ? 'Asking…' : 'Ask again'}
        </button>
      </div>
    </section>
  );
}
