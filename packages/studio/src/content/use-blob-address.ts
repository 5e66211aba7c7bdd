import { useEffect, useState } from 'react';
import type { Part } from '../ui/types.js';
import { toBlob } from './to-blob.js';

/** An object URL for the bytes of a part; revoked when the component unmounts. */
export function useBlobAddress(part: Part): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    toBlob({ mediaType: part.mediaType ?? '', parts: [part] }).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => setAddress(''), // an empty address renders as a broken picture
    );
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [part]);
  return address;
}
