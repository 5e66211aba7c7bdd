import { useState } from 'react';
import { EarlierEvents } from './earlier-events.js';
import { EventDetail } from './event-detail.js';
import { EventList } from './event-list.js';
import { StateStrip } from './state-strip.js';
import { useLog } from './use-log.js';

/** The states of the task, and its events by seq. */
export function LogPanel() {
  const { rows, count } = useLog();
  const [selected, setSelected] = useState<number>();
  const event = rows.find(({ number }) => number === selected)?.event;
  return (
    <section aria-label="Events" className="flex h-full min-h-0 flex-col">
      <div className="border-b border-line">
        <StateStrip />
      </div>
      <EarlierEvents />
      <EventList rows={rows} selected={selected} onSelect={setSelected} />
      {count > rows.length && (
        <p className="label border-t border-line px-3 py-1">
          Only the last {rows.length} of {count} events are kept.
        </p>
      )}
      {event && <EventDetail key={selected} event={event} onClose={() => setSelected(undefined)} />}
    </section>
  );
}
