import { useId, useState } from 'react';
import { FileRow } from './file-row.js';
import type { FileEntry } from './files.js';

const SHOWN_AT_ONCE = 12;

interface ArtifactListProps {
  readonly entries: readonly FileEntry[];
  readonly isRunning: boolean;
}

/** The files of an answer, with preview and download. */
export function ArtifactList({ entries, isRunning }: ArtifactListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const title = useId();
  if (entries.length === 0) return null;
  const shown = showsAll ? entries : entries.slice(0, SHOWN_AT_ONCE);
  return (
    <section aria-labelledby={title} className="mt-2">
      <h3 id={title} className="label mb-1">
        Artifacts
      </h3>
      <ul className="divide-y divide-line rounded-sm border border-line">
        {shown.map((entry) => (
          <FileRow key={entry.key} entry={entry} isRunning={isRunning} />
        ))}
      </ul>
      {entries.length > shown.length && (
        <button type="button" className="quiet mt-1" onClick={() => setShowsAll(true)}>
          Show all {entries.length}
        </button>
      )}
    </section>
  );
}
