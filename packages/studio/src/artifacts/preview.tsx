/** Preview of a file. The content is decoded when the preview opens. */
import { useEffect, useState } from 'react';
import { CodeBlock } from '../content/code-block.js';
import { JsonTree } from '../content/json-tree.js';
import { RichText } from '../content/rich-text.js';
import { toBlob } from '../content/to-blob.js';
import { visibleText } from '../content/visible-text.js';
import { headOf } from './bytes.js';
import type { FileEntry } from './files.js';
import type { PreviewKind } from './preview-kind.js';
import { readCsv } from './read-csv.js';

interface PreviewProps {
  readonly entry: FileEntry;
  readonly kind: PreviewKind;
}

const HEAD_CHARACTERS = 100_000;

export function Preview({ entry, kind }: PreviewProps) {
  const data = entry.parts[0]?.data;
  if (data !== undefined)
    return (
      <div className="border-t border-line p-3">
        <JsonTree value={data} />
      </div>
    );
  return (
    <div className="border-t border-line p-3">
      {kind === 'image' ? <ImagePreview entry={entry} /> : <TextPreview entry={entry} kind={kind} />}
    </div>
  );
}

function ImagePreview({ entry }: { readonly entry: FileEntry }) {
  const [address, setAddress] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    toBlob(entry).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => setProblem('The file content is not valid base64.'),
    );
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [entry]);
  if (problem) return <Unreadable why={problem} />;
  if (!address) return <p className="label">Decoding…</p>;
  return (
    <img
      src={address}
      alt={entry.name}
      className="max-h-96 max-w-full [image-rendering:auto]"
      onError={() => setProblem('The browser cannot display this picture.')}
    />
  );
}

function TextPreview({ entry, kind }: PreviewProps) {
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isGone = false;
    toBlob(kind === 'head' ? headOf(entry, HEAD_CHARACTERS) : entry)
      .then((blob) => blob.text())
      .then(
        (read) => !isGone && setText(read),
        () => !isGone && setProblem('The file content is not valid base64.'),
      );
    return () => {
      isGone = true;
    };
  }, [entry, kind]);
  if (problem) return <Unreadable why={problem} />;
  if (text === undefined) return <p className="label">Decoding…</p>;
  if (kind === 'head') return <Head text={text} mediaType={entry.mediaType} />;
  if (kind === 'markdown') return <RichText text={text} />;
  if (kind === 'csv') return <CsvPreview text={text} />;
  if (kind === 'json') return <JsonPreview text={text} />;
  return <CodeBlock text={text} language={entry.mediaType} />;
}

function Head({ text, mediaType }: { readonly text: string; readonly mediaType: string }) {
  return (
    <>
      <CodeBlock text={text} language={mediaType} />
      <p className="label mt-2">Only the beginning is shown. Download the file to see all of it.</p>
    </>
  );
}

function JsonPreview({ text }: { readonly text: string }) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return <CodeBlock text={text} language="not valid JSON" />;
  }
  return <JsonTree value={value} />;
}

function CsvPreview({ text }: { readonly text: string }) {
  const { rows, hasMore } = readCsv(text);
  const [head = [], ...body] = rows;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className="prose-table max-h-96" tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <Row cells={head} Cell="th" />
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the table does not change
              <Row key={index} cells={row} Cell="td" />
            ))}
          </tbody>
        </table>
      </section>
      {hasMore && <p className="label mt-2">Only the first {rows.length} rows are shown. Download the file to see all of it.</p>}
    </>
  );
}

function Row({ cells, Cell }: { readonly cells: readonly string[]; readonly Cell: 'th' | 'td' }) {
  return (
    <tr>
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the table does not change
        <Cell key={column} dir="auto">
          {visibleText(cell)}
        </Cell>
      ))}
    </tr>
  );
}

function Unreadable({ why }: { readonly why: string }) {
  return (
    <p className="text-sm">
      <span className="alarm">unreadable</span> {why}
    </p>
  );
}
