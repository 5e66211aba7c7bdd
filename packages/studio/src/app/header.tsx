import { useEffect } from 'react';
import { ConnectionSwitch } from '../connection/connection-switch.js';
import { visibleName } from '../content/visible-text.js';
import { useAgent } from '../state/studio.js';
import { useAgentName } from '../state/use-agent-name.js';
import { ThemeButton } from '../theme/theme-button.js';
import { Icon } from '../ui/icons.js';

interface HeaderProps {
  readonly isListOpen: boolean;
  readonly onList: () => void;
  readonly onAbout: () => void;
  readonly onKeyboard: () => void;
}

export function Header({ isListOpen, onList, onAbout, onKeyboard }: HeaderProps) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2">
      <button
        type="button"
        className="quiet h-8"
        aria-expanded={isListOpen}
        aria-label={isListOpen ? 'Hide conversations' : 'Show conversations'}
        onClick={onList}
      >
        <Icon name="list" />
      </button>
      <AgentBadge onAbout={onAbout} />
      <span className="flex-1" />
      <ConnectionSwitch />
      <ThemeButton />
      <button
        type="button"
        className="quiet hidden h-8 sm:inline-flex"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={onKeyboard}
      >
        <Icon name="keys" />
      </button>
    </header>
  );
}

function AgentBadge({ onAbout }: { readonly onAbout: () => void }) {
  const agent = useAgent();
  const name = useAgentName();
  useEffect(() => {
    document.title = `${name} · Parley Studio`;
  }, [name]);
  return (
    <>
      <bdi className="min-w-0 truncate text-sm font-semibold" title={name}>
        {name}
      </bdi>
      {agent.state === 'ready' && (
        <span className="label hidden max-w-24 shrink-0 truncate sm:inline">{visibleName(agent.card.version, 20)}</span>
      )}
      {agent.state === 'down' && <span className="alarm">unreachable</span>}
      <button
        type="button"
        className="quiet h-8 shrink-0"
        aria-label="About this agent"
        aria-haspopup="dialog"
        disabled={agent.state !== 'ready'}
        onClick={onAbout}
      >
        About
      </button>
    </>
  );
}
