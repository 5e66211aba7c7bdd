import { useAgent } from '../app/agent-store.js';
import { useThisConversation } from '../app/session.js';
import type { AgentCard } from '../app/types.js';
import { visibleName, visibleText } from '../content/visible-text.js';

const SHOWN_SKILLS = 40;

/** Before the first message: who the agent is, what it can do, and a way to try each of it. */
export function Welcome() {
  const agent = useAgent();
  if (agent.state === 'loading') return <Loading />;
  return agent.state === 'ready' ? <Introduction card={agent.card} /> : null;
}

function Loading() {
  return (
    <div className="mx-auto max-w-[calc(72ch+136px)] px-4 py-8 md:pl-[120px]" role="status">
      <p className="text-muted">Asking the agent for its card…</p>
    </div>
  );
}

function Introduction({ card }: { readonly card: AgentCard }) {
  const skills = (card.skills ?? []).slice(0, SHOWN_SKILLS);
  return (
    <div className="mx-auto max-w-[calc(72ch+136px)] px-4 py-8 md:pl-[120px]">
      <h1 className="text-lg font-semibold [overflow-wrap:anywhere]">
        <bdi>{visibleName(card.name)}</bdi>
      </h1>
      <p dir="auto" className="mt-1 max-w-[72ch] text-muted [overflow-wrap:anywhere]">
        {visibleText(card.description.slice(0, 1_000))}
      </p>
      {skills.length === 0 ? (
        <p className="mt-6">Its card names no skills. Write to it, and see what it does.</p>
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
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-2">
      <div className="min-w-0 flex-[1_1_320px]">
        <h2 className="text-sm font-semibold [overflow-wrap:anywhere]">
          <bdi>{visibleName(skill.name, 120)}</bdi>
        </h2>
        <p dir="auto" className="text-sm text-muted [overflow-wrap:anywhere]">
          {visibleText(skill.description.slice(0, 300))}
        </p>
      </div>
      {example !== undefined && (
        <button
          type="button"
          className="boxed h-6 max-w-full px-2 font-mono text-xs"
          onClick={() => void conversation.send(example).catch(() => undefined)}
        >
          <bdi className="truncate">{visibleName(example, 60)}</bdi>
        </button>
      )}
    </li>
  );
}
