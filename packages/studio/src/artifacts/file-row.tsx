import { lazy, Suspense, useState } from 'react';
import { formatBytes } from '../ui/format.js';
import { download } from './bytes.js';
import { type FileEntry, sizeOf } from './files.js';
import { previewKind } from './preview-kind.js';

const Preview = lazy(async () => ({ default: (await import('./preview.js')).Preview }));

interface FileRowProps {
  readonly entry: FileEntry;
  /** While the answer runs, the file may still grow. */
  readonly isRunning: boolean;
}

export function FileRow({ entry, isRunning }: FileRowProps) {
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const size = sizeOf(entry);
  const kind = isRunning ? undefined : previewKind(entry);
  const save = () =>
    download(entry).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(error instanceof TypeError ? error.message : 'The file content is not valid base64.'),
    );
  return (
    <li className="min-w-0">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 pr-1 pl-3">
        <bdi className="min-w-0 flex-1 truncate text-sm" title={entry.name}>
          {entry.name}
        </bdi>
        <span className="label hidden max-w-48 truncate sm:inline">{entry.mediaType}</span>
        <span className="label tabular-nums">{size === undefined ? 'remote' : formatBytes(size)}</span>
        <span className="flex">
          {kind && (
            <button
              type="button"
              className="quiet"
              aria-label={`Preview ${entry.name}`}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              Preview
            </button>
          )}
          <button
            type="button"
            className="quiet"
            aria-label={`${size === undefined ? 'Open' : 'Download'} ${entry.name}`}
            disabled={isRunning}
            onClick={() => void save()}
          >
            {size === undefined ? 'Open' : 'Download'}
          </button>
        </span>
      </div>
      {problem && (
        <p role="alert" className="px-3 pb-2 text-sm">
          {problem}
        </p>
      )}
      {isOpen && kind && (
        <Suspense fallback={<p className="label p-3">Loading…</p>}>
          <Preview entry={entry} kind={kind} />
        </Suspense>
      )}
    </li>
  );
}
