import { useEffect, useState } from 'react';
import type { Part } from '../app/types.js';
import { toBlob } from '../artifacts/bytes.js';

/** An address for the bytes of a part, for as long as the component is there. */
export function useBlobAddress(part: Part): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    toBlob({ key: '', name: '', mediaType: part.mediaType ?? '', parts: [part] }).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => setAddress(''), // an empty address is shown as a picture that is broken
    );
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [part]);
  return address;
}
