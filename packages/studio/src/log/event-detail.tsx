import { CopyButton } from '../content/copy-button.js';
import { JsonTree } from '../content/json-tree.js';
import { Icon } from '../ui/icons.js';
import type { ConversationEvent } from '../ui/types.js';
import { describeEvent } from './describe-event.js';

interface EventDetailProps {
  readonly event: ConversationEvent;
  readonly onClose: () => void;
}

/** Shows one event in full, as JSON. */
export function EventDetail({ event, onClose }: EventDetailProps) {
  const { seq, kind } = describeEvent(event);
  return (
    <section aria-label="Event" className="flex max-h-1/2 min-h-32 flex-col border-t border-line">
      <header className="flex h-8 shrink-0 items-center justify-between pr-1 pl-3">
        <h3 className="label">
          {kind}
          {seq !== undefined && ` ${seq}`}
        </h3>
        <span className="flex">
          <CopyButton label="Copy event" what={() => JSON.stringify(event, null, 2)} />
          <button type="button" className="quiet" aria-label="Close event" onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className="min-h-0 flex-1 overflow-auto px-3 pb-2" tabIndex={0} aria-label="Event content">
        {}
        <JsonTree value={event.kind === 'update' ? event.update : event} open={3} />
      </section>
    </section>
  );
}
