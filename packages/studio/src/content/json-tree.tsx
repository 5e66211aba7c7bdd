/** Shows JSON as a tree. Closed branches are not rendered. */
import { useState } from 'react';
import { visibleText } from './visible-text.js';

interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string;
  /** Number of levels that are open at first. Default 2. */
  readonly open?: number;
}

const ENTRIES_AT_ONCE = 100;
const MAX_TEXT_CHARACTERS = 2_000;

export function JsonTree({ value, name, open = 2 }: JsonTreeProps) {
  if (typeof value !== 'object' || value === null) return <Leaf name={name} value={value} />;
  return <Branch name={name} value={value} open={open} />;
}

function Branch({ value, name, open }: { readonly value: object; readonly name: string | undefined; readonly open: number }) {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(ENTRIES_AT_ONCE);
  const keys = Object.keys(value);
  const marks = Array.isArray(value) ? '[]' : '{}';
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="font-mono text-xs">
      <summary className="rounded-xs hover:bg-raised">
        <Key name={name} />
        <span className="text-muted">
          {marks[0]}
          {isOpen ? '' : `${keys.length === 0 ? '' : '…'}${marks[1]} ${keys.length}`}
        </span>
      </summary>
      {isOpen && (
        <div className="border-l border-line pl-4">
          {keys.slice(0, shown).map((key) => (
            <JsonTree key={key} name={key} value={Reflect.get(value, key)} open={open - 1} />
          ))}
          {keys.length > shown && (
            <button type="button" className="quiet" onClick={() => setShown(shown + 10 * ENTRIES_AT_ONCE)}>
              {keys.length - shown} more
            </button>
          )}
          <span className="text-muted">{marks[1]}</span>
        </div>
      )}
    </details>
  );
}

function Leaf({ name, value }: { readonly name: string | undefined; readonly value: unknown }) {
  const text = typeof value === 'string' ? JSON.stringify(cut(value)) : String(value);
  return (
    <div className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">
      <Key name={name} />
      <bdi className={typeof value === 'string' ? '' : 'text-accent'}>{visibleText(text)}</bdi>
    </div>
  );
}

function Key({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <bdi className="text-muted">{visibleText(cut(name))}</bdi>
      <span className="text-muted">: </span>
    </>
  );
}

function cut(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}… (${text.length} characters)` : text;
}
