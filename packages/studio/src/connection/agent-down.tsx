import { visibleText } from '../content/visible-text.js';
import { useAgent, useStudio } from '../state/studio.js';

/** Shown while the agent is unreachable: the error, hints, and a retry button. */
export function AgentDown() {
  const view = useAgent();
  const { agent, plug } = useStudio();
  if (view.state !== 'down') return null;
  return (
    <section aria-label="Cannot reach the agent" className="column py-6">
      <div role="alert" className="border-l-2 border-ink pl-3">
        <h1 className="font-semibold">Cannot reach the agent</h1>
        <p className="mt-1 text-sm [overflow-wrap:anywhere]">
          <span className="alarm">{view.error.reason}</span> {visibleText(view.error.message.slice(0, 500))}
        </p>
        <ul className="mt-2 list-disc pl-5 text-sm text-muted">
          {!plug.isOn && <li>The “Connection” switch in the header is off. Turn it on.</li>}
          <li>
            Check that the agent is running. In the project folder, run <code className="font-mono text-ink">npm start</code>.
          </li>
          <li>
            Check that its card opens at <code className="font-mono text-ink">{location.origin}/.well-known/agent-card.json</code>.
          </li>
        </ul>
        <button type="button" className="boxed mt-3" disabled={view.isRetrying} onClick={() => void agent.retry()}>
          {view.isRetrying ? 'Connecting…' : 'Try again'}
        </button>
      </div>
    </section>
  );
}
