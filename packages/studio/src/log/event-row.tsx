import { memo, useState } from 'react';
import { formatBytes, formatClock } from '../ui/format.js';
import type { ConversationEvent } from '../ui/types.js';
import { describeEvent } from './describe-event.js';

export const ROW_PX = 24;

/** Only newer events are highlighted as new; rows that scroll into view are not. */
const FRESH_MS = 1_000;

interface EventRowProps {
  readonly id: string;
  readonly event: ConversationEvent;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

export const EventRow = memo(
  ({ id, event, index, isSelected, onSelect }: EventRowProps) => {
    const { seq, kind, about, bytes, isAlarm } = describeEvent(event);
    const [isFresh] = useState(() => Date.now() - Date.parse(event.at) < FRESH_MS);
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and sets aria-activedescendant
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
      <div
        id={id}
        role="option"
        aria-selected={isSelected}
        aria-setsize={-1}
        aria-posinset={index + 1}
        data-seq={seq}
        onClick={onSelect}
        style={{ top: index * ROW_PX }}
        className={`absolute inset-x-0 flex h-6 cursor-pointer items-center gap-2 pr-3 pl-2 font-mono text-xs ${isSelected ? 'bg-tint' : 'hover:bg-surface'} ${isFresh ? 'animate-arrive' : ''}`}
      >
        <span className="w-10 shrink-0 text-right text-muted tabular-nums">{seq ?? '·'}</span>
        <span className={`w-15 shrink-0 truncate ${isAlarm ? 'alarm w-auto!' : toneOf(event, kind)}`}>{kind}</span>
        <bdi className="min-w-0 flex-1 truncate">{about}</bdi>
        <span className="shrink-0 text-muted tabular-nums">{formatBytes(bytes)}</span>
        <time className="shrink-0 text-right text-muted tabular-nums" dateTime={event.at || undefined} title={event.at || undefined}>
          {formatClock(event.at)}
        </time>
      </div>
    );
  },
  (before, after) => before.event === after.event && before.index === after.index && before.isSelected === after.isSelected,
);

/** Events of the agent stand out from local events and chunks. */
function toneOf(event: ConversationEvent, kind: string): string {
  return event.kind !== 'update' || kind === 'chunk' ? 'text-muted' : 'text-accent';
}
