import { visibleName, visibleText } from '../content/visible-text.js';
import { useThisConversation } from '../state/session.js';
import { useAgent } from '../state/studio.js';
import type { AgentCard } from '../ui/types.js';

const SHOWN_SKILLS = 40;

/** Shown before the first message: the agent's name, description and skills, with an example to send for each skill. */
export function Welcome() {
  const agent = useAgent();
  if (agent.state === 'loading') return <Loading />;
  return agent.state === 'ready' ? <Introduction card={agent.card} /> : null;
}

function Loading() {
  return (
    <div className="column py-8" role="status">
      <p className="text-muted">Loading the agent card…</p>
    </div>
  );
}

function Introduction({ card }: { readonly card: AgentCard }) {
  const skills = (card.skills ?? []).slice(0, SHOWN_SKILLS);
  return (
    <div className="column py-8">
      <h1 className="text-lg font-semibold [overflow-wrap:anywhere]">
        <bdi>{visibleName(card.name)}</bdi>
      </h1>
      <p dir="auto" className="mt-1 max-w-[72ch] text-muted [overflow-wrap:anywhere]">
        {visibleText(card.description.slice(0, 1_000))}
      </p>
      {skills.length === 0 ? (
        <p className="mt-6">This agent lists no skills. Send a message to try it.</p>
      ) : (
        <ul className="mt-6 border-t border-line" aria-label="Skills">
          {skills.map((skill) => (
            <Skill key={skill.id} skill={skill} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Skill({ skill }: { readonly skill: AgentCard['skills'][number] }) {
  const conversation = useThisConversation();
  const [example] = skill.examples ?? [];
  return (
    <li className="grid items-baseline gap-x-4 border-b border-line py-2 text-sm sm:grid-cols-[136px_minmax(0,1fr)]">
      <span className="min-w-0">
        {example !== undefined && (
          <button
            type="button"
            className="max-w-full truncate rounded-xs font-mono text-xs text-accent underline decoration-line underline-offset-4 hover:decoration-accent"
            title={visibleName(example)}
            onClick={() => void conversation.send(example).catch(() => undefined)} // the message shows the error
          >
            {visibleName(example, 60)}
          </button>
        )}
      </span>
      <p dir="auto" className="min-w-0 text-muted [overflow-wrap:anywhere]">
        <bdi className="font-medium text-ink">{visibleName(skill.name, 120)}</bdi> {visibleText(skill.description.slice(0, 300))}
      </p>
    </li>
  );
}
