import { useConversationState } from '@parley/a2a/react';
import { useEffect, useRef } from 'react';
import { visibleName } from '../content/visible-text.js';
import type { StateStep } from '../state/event-log.js';
import { formatDuration, shortId, shortState } from '../ui/format.js';
import { useLog } from './use-log.js';

const ALARMS = new Set(['TASK_STATE_FAILED', 'TASK_STATE_REJECTED', 'TASK_STATE_CANCELED']);
const LIVE = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);

/** The states of the task, oldest first, with the duration of each. */
export function StateStrip() {
  const log = useLog();
  const taskId = useConversationState(({ task }) => task?.id);
  const status = useConversationState(({ task }) => task?.status);
  const seq = useConversationState(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'ROLE_AGENT' ? last.seq : undefined;
  });
  // After a reload the local log is empty, and only the current state is known.
  const seen = log.taskId === taskId ? log.steps : [];
  const steps = seen.length > 0 || !status ? seen : [{ state: status.state, at: status.timestamp ?? '', seq: undefined }];
  const end = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step must scroll into view
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest', inline: 'end' });
  }, [steps.length]);
  if (taskId === undefined) return <p className="label px-3 py-2">Send a message to see its task here, event by event.</p>;
  return (
    <div className="px-3 py-2">
      <p className="label mb-1 flex justify-between gap-2">
        <bdi className="truncate" title={visibleName(taskId)}>
          task {shortId(visibleName(taskId))}
        </bdi>
        {seq !== undefined && <span className="whitespace-nowrap tabular-nums">seq {seq}</span>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <ol tabIndex={0} aria-label="Task states" className="flex items-stretch gap-1 overflow-x-auto">
        {steps.map((step, index) => (
          <Step key={`${step.at}${step.state}`} step={step} next={steps[index + 1]} ref={index === steps.length - 1 ? end : undefined} />
        ))}
      </ol>
    </div>
  );
}

interface StepProps {
  readonly step: StateStep;
  readonly next: StateStep | undefined;
  readonly ref: React.Ref<HTMLLIElement> | undefined;
}

function Step({ step, next, ref }: StepProps) {
  const spent = next ? Date.parse(next.at) - Date.parse(step.at) : Number.NaN;
  return (
    <li ref={ref} className={`shrink-0 rounded-xs px-2 py-1 font-mono text-xs ${next ? 'bg-raised text-ink' : toneOf(step.state)}`}>
      {shortState(step.state)}
      {Number.isFinite(spent) && <span className="ml-2 text-muted tabular-nums">{formatDuration(spent)}</span>}
    </li>
  );
}

function toneOf(state: string): string {
  if (ALARMS.has(state)) return 'bg-ink text-bg';
  return LIVE.has(state) ? 'bg-accent text-on-accent' : 'bg-raised text-ink';
}
