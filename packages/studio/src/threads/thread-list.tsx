import { type KeyboardEvent, useRef } from 'react';
import { formatMoment } from '../app/format.js';
import { Icon } from '../app/icons.js';
import { visibleName } from '../content/visible-text.js';
import { useThreads } from './use-threads.js';

/** The conversations that this browser keeps, the last used first. */
export function ThreadList({ onChosen }: { readonly onChosen?: () => void }) {
  const { entries, currentId, open, begin, remove } = useThreads();
  const list = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
    const next = indexAfter(event.key, buttons.indexOf(document.activeElement as HTMLElement), buttons.length); // -1 where it is another
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  const choose = (act: () => void) => () => {
    act();
    onChosen?.();
  };
  return (
    <nav aria-label="Conversations" className="flex h-full min-h-0 flex-col">
      <div className="p-2">
        <button type="button" className="boxed w-full" onClick={choose(begin)}>
          <Icon name="plus" /> New conversation
        </button>
      </div>
      <ul ref={list} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2" onKeyDown={move}>
        {entries.map((entry) => (
          <li key={entry.id} className="group relative">
            <button
              type="button"
              data-thread={entry.id}
              aria-current={entry.id === currentId ? 'page' : undefined}
              className={`flex h-8 w-full items-center gap-2 rounded-sm pr-8 pl-2 text-left text-sm ${entry.id === currentId ? 'bg-raised font-medium' : 'hover:bg-surface'}`}
              onClick={choose(() => open(entry.id))}
            >
              <bdi className="min-w-0 flex-1 truncate">{visibleName(entry.title, 120) || 'New conversation'}</bdi>
              <span className="label">{formatMoment(entry.updatedAt)}</span>
            </button>
            <button
              type="button"
              className="quiet absolute top-1 right-0 px-1 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100"
              aria-label={`Delete ${visibleName(entry.title, 60) || 'new conversation'}`}
              onClick={() => remove(entry.id)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function indexAfter(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1);
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
