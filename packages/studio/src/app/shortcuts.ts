/** Keyboard shortcuts of the whole page. */
import { useEffect } from 'react';
import { COMPOSER_ID } from '../conversation/composer.js';
import { useThisConversation } from '../state/session.js';

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['/  or  Ctrl+K', 'Focus the message field'],
  ['Enter', 'Send'],
  ['Shift+Enter', 'New line'],
  ['Escape', 'Stop the answer; close an edit or a dialog'],
  ['Alt+N', 'New conversation'],
  ['Alt+L', 'Focus the event list'],
  ['↑ ↓ Home End', 'Move through events or conversations'],
  ['?', 'Show this list'],
];

interface ShortcutTargets {
  readonly onHelp: () => void;
  readonly onNew: () => void;
  readonly onLog: () => void;
}

export function useShortcuts({ onHelp, onNew, onLog }: ShortcutTargets): void {
  const conversation = useThisConversation();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]');
      const action = actionOf(event, isTyping);
      if (!action) return;
      if (action !== 'stop') event.preventDefault();
      const acts = {
        compose: () => document.getElementById(COMPOSER_ID)?.focus(),
        stop: () => void conversation.cancel().catch(() => undefined), // the event log shows why a task cannot be canceled
        help: onHelp,
        new: onNew,
        log: onLog,
      };
      acts[action]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [conversation, onHelp, onNew, onLog]);
}

function actionOf({ key, code, ctrlKey, metaKey, altKey }: KeyboardEvent, isTyping: boolean) {
  if (key === 'Escape') return 'stop';
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return 'compose';
  if (altKey && code === 'KeyN') return 'new';
  if (altKey && code === 'KeyL') return 'log';
  if (isTyping || ctrlKey || metaKey || altKey) return undefined;
  if (key === '/') return 'compose';
  return key === '?' ? 'help' : undefined;
}
