import { useConversationState } from '@parley/a2a/react';
import { useState } from 'react';
import { useSession } from '../state/session.js';
import { useStudio } from '../state/studio.js';
import type { ConversationState } from '../ui/types.js';
import { readTaskLog } from './read-task-log.js';
import { useLog } from './use-log.js';

/** The first seq that a client receives. */
const FIRST_SEQ = 2;

/** After a reload the local log starts in the middle of the task; this button loads the rest from the agent. */
export function EarlierEvents() {
  const { client } = useStudio();
  const { log } = useSession();
  const { taskId, firstSeq } = useLog();
  const answer = useConversationState(lastAnswer);
  const [isReading, setReading] = useState(false);
  const { task, seq, id, status } = answer ?? {};
  const isSeen = task?.id === taskId && firstSeq !== undefined && firstSeq <= FIRST_SEQ;
  if (!task || seq === undefined || id === undefined || status?.type === 'running' || isSeen) return null;
  const read = async () => {
    setReading(true);
    try {
      log.clear(task.id);
      for await (const event of readTaskLog(client, { taskId: task.id, messageId: id, lastSeq: seq })) log.add(event);
    } catch {
      // Keep the events read so far; the user can press the button again.
    } finally {
      setReading(false);
    }
  };
  return (
    <button type="button" className="quiet mx-1 my-1 justify-start" disabled={isReading} onClick={() => void read()}>
      {isReading ? 'Loading…' : 'Load the earlier events from the agent'}
    </button>
  );
}

function lastAnswer({ messages }: ConversationState) {
  const last = messages.at(-1);
  return last?.role === 'ROLE_AGENT' ? last : undefined;
}
