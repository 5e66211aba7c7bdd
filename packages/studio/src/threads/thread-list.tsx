import { type KeyboardEvent, useRef } from 'react';
import { useStudio } from '../state/studio.js';
import { Icon } from '../ui/icons.js';
import { ThreadItem } from './thread-item.js';
import { useThreads } from './use-threads.js';

/** The conversations stored in this browser, most recently used first. */
export function ThreadList({ onChosen }: { readonly onChosen?: () => void }) {
  const { threads } = useStudio();
  const { threads: entries, activeId } = useThreads();
  const list = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('[data-thread]') ?? [])];
    const here = document.activeElement;
    const next = indexAfter(event.key, here ? buttons.indexOf(here) : -1, buttons.length);
    const button = next === undefined ? undefined : buttons[next];
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    button.focus();
  };
  return (
    <nav aria-label="Conversations" className="flex h-full min-h-0 flex-col">
      <div className="p-2">
        <button
          type="button"
          className="boxed w-full"
          onClick={() => {
            threads.create();
            onChosen?.();
          }}
        >
          <Icon name="plus" /> New conversation
        </button>
      </div>
      <ul ref={list} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2" onKeyDown={move}>
        {entries.map((entry) => (
          <ThreadItem
            key={entry.id}
            entry={entry}
            isCurrent={entry.id === activeId}
            onOpen={() => {
              threads.switchTo(entry.id);
              onChosen?.();
            }}
            onRemove={() => threads.remove(entry.id)}
          />
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
