import type { A2AError } from '@parley/a2a';
import { visibleText } from '../content/visible-text.js';
import { formatDuration } from '../ui/format.js';
import type { AgentMessage } from '../ui/types.js';

const ADVICE: Readonly<Partial<Record<A2AError['reason'], string>>> = {
  AGENT_UNAVAILABLE: 'Check that the agent is running and the connection is on, then try again.',
  RATE_LIMITED: 'Too many requests. Try again later.',
  TASK_TIMEOUT: 'The time limit of the task has passed. Try again.',
  AUTH_REQUIRED: 'The agent requires credentials. Studio cannot provide them.',
  INSUFFICIENT_SCOPE: 'You do not have permission to do this.',
  CONTENT_TOO_LARGE: 'Send less, or ask for a shorter answer.',
  CONTENT_TYPE_NOT_SUPPORTED: 'The agent does not accept this content type. Its card lists the accepted types.',
  TASK_NOT_FOUND: 'The agent no longer has this task. Try again, or start a new conversation.',
  INVALID_AGENT_RESPONSE: 'The response is not valid A2A. Report this to the developers of the agent.',
};

/** Why an answer is incomplete, and what the user can do. */
export function MessageProblem({ status, parts }: Pick<AgentMessage, 'status' | 'parts'>) {
  if (status.type !== 'incomplete') return null;
  if (status.reason === 'cancelled')
    return (
      <p className="mt-2 text-sm text-muted">
        <span className="alarm">stopped</span> The answer was stopped before it was complete.
      </p>
    );
  const { reason, message, retryAfterMs, retryable } = status.error;
  const isSaid = parts.at(-1)?.text?.trimEnd().endsWith(message) ?? false; // the agent's own text right above already contains it
  return (
    <div role="alert" className="mt-2 border-l-2 border-ink pl-3 text-sm">
      <p className="[overflow-wrap:anywhere]">
        <span className="alarm">{reason}</span> {!isSaid && <bdi>{visibleText(message.slice(0, 2_000))}</bdi>}
      </p>
      <p className="text-muted">
        {ADVICE[reason] ?? (retryable ? 'Try again.' : 'Change the message, or report the error to the developers of the agent.')}
        {retryAfterMs !== undefined && ` Wait ${formatDuration(retryAfterMs)} first.`}
      </p>
    </div>
  );
}
