/** A virtual list of events: all rows have the same height, and only the rows in view are in the DOM. */
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { LogRow } from '../state/event-log.js';
import { EventRow, ROW_PX } from './event-row.js';

interface EventListProps {
  readonly rows: readonly LogRow[];
  /** Number of the selected row; undefined if there is none. */
  readonly selected: number | undefined;
  readonly onSelect: (number: number | undefined) => void;
}

const MARGIN_ROWS = 8;

/** Up to this length, all rows are in the DOM. */
const SHORT_ROWS = 100;

export function EventList({ rows, selected, onSelect }: EventListProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { top, height, isFollowing, setFollowing } = useWindow(box, rows);
  const isShort = rows.length <= SHORT_ROWS;
  const first = isShort ? 0 : Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS);
  const shown = rows.slice(first, isShort ? undefined : Math.ceil((top + height) / ROW_PX) + MARGIN_ROWS);
  const move = (event: KeyboardEvent) => {
    const next = numberAfter(event.key, rows, selected);
    if (next === undefined) return;
    event.preventDefault();
    setFollowing(next === rows.at(-1)?.number);
    onSelect(next);
    scrollTo(box.current, next - (rows[0]?.number ?? next));
  };
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label="Events of this conversation"
        aria-activedescendant={selected === undefined ? undefined : `${id}${selected}`}
        className="h-full overflow-y-auto overscroll-contain -outline-offset-2"
        onKeyDown={move}
      >
        <div role="presentation" className="relative" style={{ height: rows.length * ROW_PX }}>
          {shown.map(({ number, event }, index) => (
            <EventRow
              key={number}
              id={`${id}${number}`}
              event={event}
              index={first + index}
              isSelected={number === selected}
              onSelect={() => onSelect(number === selected ? undefined : number)}
            />
          ))}
        </div>
      </div>
      {!isFollowing && (
        <button type="button" className="boxed absolute right-4 bottom-2 h-6 text-xs" onClick={() => setFollowing(true)}>
          Jump to end
        </button>
      )}
    </div>
  );
}

function numberAfter(key: string, rows: readonly LogRow[], selected: number | undefined): number | undefined {
  const first = rows[0]?.number;
  const last = rows.at(-1)?.number;
  if (first === undefined || last === undefined) return undefined;
  if (key === 'Home') return first;
  if (key === 'End') return last;
  if (key === 'ArrowUp') return Math.max(first, (selected ?? last + 1) - 1);
  return key === 'ArrowDown' ? Math.min(last, (selected ?? last - 1) + 1) : undefined;
}

function scrollTo(box: HTMLDivElement | null, index: number): void {
  if (!box) return;
  const top = index * ROW_PX;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + ROW_PX > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW_PX - box.clientHeight;
}

/** The visible part of the list. It follows the newest row until the user scrolls away, and then keeps its place. */
function useWindow(box: RefObject<HTMLDivElement | null>, rows: readonly LogRow[]) {
  const [{ top, height }, setPlace] = useState({ top: 0, height: 480 });
  const [isFollowing, setFollowing] = useState(true);
  const dropped = useRef(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      setPlace({ top: element.scrollTop, height: element.clientHeight });
      setFollowing(element.scrollTop + element.clientHeight >= element.scrollHeight - ROW_PX);
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  const firstNumber = rows[0]?.number ?? 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must keep the scroll position
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (isFollowing) element.scrollTop = element.scrollHeight;
    else element.scrollTop -= (firstNumber - 1 - dropped.current) * ROW_PX; // compensate for rows dropped at the top
    dropped.current = firstNumber - 1;
  }, [rows, isFollowing]);
  return { top, height, isFollowing, setFollowing };
}
