import type { A2AError } from '@parley/a2a';
import { formatDuration } from '../app/format.js';
import type { AgentMessage } from '../app/types.js';
import { visibleText } from '../content/visible-text.js';

const ADVICE: Readonly<Partial<Record<A2AError['reason'], string>>> = {
  AGENT_UNAVAILABLE: 'Check that the agent runs and that the connection is on, then try again.',
  RATE_LIMITED: 'The agent wants a pause. Try again later.',
  TASK_TIMEOUT: 'The agent took too long. Try again.',
  AUTH_REQUIRED: 'The agent wants credentials, and Studio has none for it.',
  INSUFFICIENT_SCOPE: 'The agent does not allow this.',
  CONTENT_TOO_LARGE: 'Send less, or ask for a smaller answer.',
  CONTENT_TYPE_NOT_SUPPORTED: 'The agent does not take this kind of content: its card says what it takes.',
  TASK_NOT_FOUND: 'The agent does not know this task any more. Try again, or begin a new conversation.',
  INVALID_AGENT_RESPONSE: 'The agent answered with something that is not A2A: tell its makers.',
};

/** Why an answer is not whole, and what to do about it. */
export function MessageProblem({ status, parts }: Pick<AgentMessage, 'status' | 'parts'>) {
  if (status.type !== 'incomplete') return null;
  if (status.reason === 'cancelled')
    return (
      <p className="mt-2 text-sm text-muted">
        <span className="alarm">stopped</span> The answer was stopped before its end.
      </p>
    );
  const { reason, message, retryAfterMs, retryable } = status.error;
  const isSaid = parts.at(-1)?.text?.trimEnd().endsWith(message) ?? false; // by the agent itself, right above
  return (
    <div role="alert" className="mt-2 border-l-2 border-ink pl-3 text-sm">
      <p className="[overflow-wrap:anywhere]">
        <span className="alarm">{reason}</span> {!isSaid && <bdi>{visibleText(message.slice(0, 2_000))}</bdi>}
      </p>
      <p className="text-muted">
        {ADVICE[reason] ?? (retryable ? 'Try again.' : 'Trying again will only help if something changes.')}
        {retryAfterMs !== undefined && ` The agent asks to wait ${formatDuration(retryAfterMs)}.`}
      </p>
    </div>
  );
}
