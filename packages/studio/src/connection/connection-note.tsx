import { useConversationState } from '@parley/a2a/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { visibleName } from '../content/visible-text.js';
import { useStudio } from '../state/studio.js';
import { formatDuration } from '../ui/format.js';
import type { Connection } from '../ui/types.js';

/** One line above the composer, only while the connection is off, reconnecting, or held by another tab. */
export function ConnectionNote() {
  const { plug } = useStudio();
  const isOn = useSyncExternalStore(plug.subscribe, () => plug.isOn);
  const connection = useConversationState((state) => state.connection);
  const isFollower = useConversationState((state) => !state.isLeader && !state.isLoading);
  if (connection.state === 'reconnecting') return <Note tag="reconnecting" about={<Attempt connection={connection} />} />;
  if (!isOn) return <Note tag="offline" about="The agent keeps working. Turn the connection on to catch up." />;
  if (isFollower) return <Note about="Another tab receives this conversation; this tab shows the same." />;
  return null;
}

function Note({ tag, about }: { readonly tag?: string; readonly about: React.ReactNode }) {
  return (
    <div className="column pb-2">
      <p role="status" className="text-sm text-muted">
        {tag && <span className="alarm mr-2">{tag}</span>}
        {about}
      </p>
    </div>
  );
}

type Reconnecting = Extract<Connection, { state: 'reconnecting' }>;

function Attempt({ connection }: { readonly connection: Reconnecting }) {
  const leftMs = useCountdown(connection);
  return (
    <>
      attempt {connection.attempt}
      {leftMs > 0 && <span aria-hidden="true"> in {formatDuration(leftMs)}</span>}: {visibleName(connection.cause, 120)}
    </>
  );
}

const TICK_MS = 200;

function useCountdown(connection: Reconnecting): number {
  const [leftMs, setLeft] = useState(connection.delayMs);
  useEffect(() => {
    const end = Date.now() + connection.delayMs;
    setLeft(connection.delayMs);
    const timer = setInterval(() => setLeft(Math.max(0, end - Date.now())), TICK_MS);
    return () => clearInterval(timer);
  }, [connection]);
  return leftMs;
}
