import { lazy, Suspense, useCallback, useState } from 'react';
import { ConversationView } from '../conversation/conversation-view.js';
import { LogDrawer } from '../log/log-drawer.js';
import { LogPanel } from '../log/log-panel.js';
import { useAgent, useStudio } from '../state/studio.js';
import { ThreadList } from '../threads/thread-list.js';
import { Announcer } from './announcer.js';
import { ErrorBoundary } from './error-boundary.js';
import { Header } from './header.js';
import { KeyboardDialog } from './keyboard-dialog.js';
import { useShortcuts } from './shortcuts.js';
import { useWide } from './use-wide.js';

const AgentDialog = lazy(async () => ({ default: (await import('../card/agent-dialog.js')).AgentDialog }));

/**
 * Wide screens show the conversation list, the conversation and the log side by side. Narrow screens show the conversation, and one button
 * opens each of the other two.
 */
export function Layout() {
  const isWide = useWide();
  const agent = useAgent();
  const { threads } = useStudio();
  const [isListOpen, setListOpen] = useState(isWide);
  const [isLogOpen, setLogOpen] = useState(false);
  const [dialog, setDialog] = useState<'about' | 'keyboard'>();
  const onNew = useCallback(() => void threads.create(), [threads]);
  const onHelp = useCallback(() => setDialog('keyboard'), []);
  const onLog = useCallback(() => {
    setLogOpen(true);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=listbox]')?.focus());
  }, []);
  const onClose = useCallback(() => setDialog(undefined), []);
  useShortcuts({ onHelp, onNew, onLog });
  return (
    <div className="flex h-dvh flex-col">
      <Header isListOpen={isListOpen} onList={() => setListOpen(!isListOpen)} onAbout={() => setDialog('about')} onKeyboard={onHelp} />
      <div className="relative flex min-h-0 flex-1">
        {isListOpen && (
          <div
            className={
              isWide ? 'w-60 shrink-0 border-r border-line' : 'absolute inset-y-0 left-0 z-10 w-72 max-w-full border-r border-edge bg-bg'
            }
          >
            <ThreadList {...(!isWide && { onChosen: () => setListOpen(false) })} />
          </div>
        )}
        <main className="min-w-0 flex-1">
          <ErrorBoundary>
            <ConversationView />
          </ErrorBoundary>
        </main>
        {isWide && (
          <aside className="w-[clamp(344px,32vw,520px)] shrink-0 border-l border-line">
            <ErrorBoundary>
              <LogPanel />
            </ErrorBoundary>
          </aside>
        )}
      </div>
      {!isWide && <LogDrawer isOpen={isLogOpen} onToggle={() => setLogOpen(!isLogOpen)} />}
      <Announcer />
      {dialog === 'keyboard' && <KeyboardDialog onClose={onClose} />}
      {dialog === 'about' && agent.state === 'ready' && (
        <Suspense>
          <AgentDialog card={agent.card} onClose={onClose} />
        </Suspense>
      )}
    </div>
  );
}
