import type { ThreadSummary } from '@parley/a2a/conversation';
import { visibleName } from '../content/visible-text.js';
import { formatMoment } from '../ui/format.js';
import { Icon } from '../ui/icons.js';

interface ThreadItemProps {
  readonly entry: ThreadSummary;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

export function ThreadItem({ entry, isCurrent, onOpen, onRemove }: ThreadItemProps) {
  const title = visibleName(entry.title, 120) || 'New conversation';
  return (
    <li className="group relative">
      <button
        type="button"
        data-thread={entry.id}
        aria-current={isCurrent ? 'page' : undefined}
        title={title}
        className={`flex h-8 w-full items-center gap-2 rounded-sm pr-2 pl-2 text-left text-sm ${isCurrent ? 'bg-raised font-medium' : 'hover:bg-surface'}`}
        onClick={onOpen}
      >
        <bdi className="min-w-0 flex-1 truncate">{title}</bdi>
        <Mark entry={entry} />
      </button>
      <button
        type="button"
        className="quiet absolute top-1 right-1 bg-raised px-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        aria-label={`Delete ${title}`}
        title="Delete from this browser"
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** Shows activity, or the time of the last change. */
function Mark({ entry: { isRunning, waits, updatedAt } }: Pick<ThreadItemProps, 'entry'>) {
  if (isRunning) return <span className="font-mono text-xs text-accent">running</span>;
  if (waits) return <span className="font-mono text-xs text-accent">question</span>;
  return <span className="label">{formatMoment(updatedAt)}</span>;
}
