/**
 * A picture from an agent. Inline bytes are displayed. A picture on another origin is only a link, because loading it would tell that
 * server that the user viewed it.
 */
import { useState } from 'react';
import type { Part } from '../ui/types.js';
import { isOwnPicture, webAddress } from './safe-url.js';
import { useBlobAddress } from './use-blob-address.js';
import { visibleName } from './visible-text.js';

export function isPicture({ mediaType = '', raw, url }: Part): boolean {
  return mediaType.toLowerCase().startsWith('image/') && (raw !== undefined || url !== undefined);
}

export function ImagePart({ part }: { readonly part: Part }) {
  const name = visibleName(part.filename ?? 'Picture', 80);
  return part.raw !== undefined ? <OwnImage part={part} name={name} /> : <RemoteImage address={part.url ?? ''} name={name} />;
}

function OwnImage({ part, name }: { readonly part: Part; readonly name: string }) {
  const address = useBlobAddress(part);
  return address === undefined ? null : <Picture address={address} name={name} />;
}

function RemoteImage({ address, name }: { readonly address: string; readonly name: string }) {
  const safe = webAddress(address);
  if (safe === undefined) return <p className="label">{name}: Studio does not open this address</p>;
  if (isOwnPicture(safe)) return <Picture address={safe} name={name} />;
  return (
    <a className="boxed max-w-full" href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      <span className="truncate">
        Open {name} at <bdi>{new URL(safe).host}</bdi>
      </span>
    </a>
  );
}

function Picture({ address, name }: { readonly address: string; readonly name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="label">{name}: the browser cannot display this picture</p>;
  return (
    <img src={address} alt={name} referrerPolicy="no-referrer" className="max-h-80 max-w-full self-start" onError={() => setBroken(true)} />
  );
}
