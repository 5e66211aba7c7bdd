import { useState } from 'react';
import { CopyButton } from '../content/copy-button.js';
import { JsonTree } from '../content/json-tree.js';
import { Dialog } from '../ui/dialog.js';
import type { AgentCard } from '../ui/types.js';
import { CardView } from './card-view.js';

interface AgentDialogProps {
  readonly card: AgentCard;
  readonly onClose: () => void;
}

/** Shows the agent card, formatted or as JSON. */
export function AgentDialog({ card, onClose }: AgentDialogProps) {
  const [isRaw, setRaw] = useState(false);
  return (
    <Dialog title="About this agent" onClose={onClose}>
      <div className="mb-4 flex items-center gap-2">
        <button type="button" className="boxed" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          {isRaw ? 'Show as text' : 'Show as JSON'}
        </button>
        <CopyButton label="Copy card" what={() => JSON.stringify(card, null, 2)} />
      </div>
      {}
      {isRaw ? <JsonTree value={card} open={3} /> : <CardView card={card} />}
    </Dialog>
  );
}
