/** The log on narrow screens: the last event in one line, and the whole log when opened. */
import { formatBytes } from '../ui/format.js';
import { Icon } from '../ui/icons.js';
import { describeEvent } from './describe-event.js';
import { LogPanel } from './log-panel.js';
import { useLog } from './use-log.js';

interface LogDrawerProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function LogDrawer({ isOpen, onToggle }: LogDrawerProps) {
  return (
    <div className="flex flex-col border-t border-line bg-bg">
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex h-10 w-full items-center gap-2 px-3 font-mono text-xs"
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'down' : 'up'} />
        <span>Events</span>
        <Peek />
      </button>
      {isOpen && (
        <div className="h-[60dvh] border-t border-line">
          <LogPanel />
        </div>
      )}
    </div>
  );
}

function Peek() {
  const { rows } = useLog();
  const last = rows.findLast(({ event }) => event.kind === 'update') ?? rows.at(-1); // agent events matter more than local ones
  if (!last) return <span className="text-muted">No events yet</span>;
  const { seq, kind, about, bytes } = describeEvent(last.event);
  return (
    <>
      {seq !== undefined && <span className="text-muted tabular-nums">{seq}</span>}
      <span className="text-accent">{kind}</span>
      <bdi className="min-w-0 flex-1 truncate text-left">{about}</bdi>
      <span className="text-muted tabular-nums">{formatBytes(bytes)}</span>
    </>
  );
}
