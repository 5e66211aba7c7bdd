import { A2AError } from '../../protocol/errors.js';
import type { APIKeySecurityScheme, SecurityScheme } from '../../protocol/types.js';
import type { AuthMaterial, AuthRequest, Credentials } from './credentials.js';
import { findScheme } from './declared.js';
import { checkMaterial } from './material.js';

const PLACES = ['header', 'query', 'cookie'] as const;
type Place = (typeof PLACES)[number];

export interface ApiKeyOptions {
  /** Default: as the card says. */
  readonly name?: string;
  /** Default: as the card says; header when only a name is given. A key in the query ends up in logs on the way. */
  readonly in?: Place;
}

/** A key in the header, query parameter or cookie that the card declares, or that is named here. */
export function apiKey(value: string, options: ApiKeyOptions = {}): Credentials {
  const { name, in: place = name === undefined ? undefined : 'header' } = options;
  if (place !== undefined && !PLACES.includes(place)) throw new A2AError('INVALID_PARAMS', 'apiKey takes header, query or cookie as `in`');
  if (name === '') throw new A2AError('INVALID_PARAMS', 'apiKey takes a name that is not empty');
  // Bad characters are told now, not at the first call; without a place a header is the likeliest.
  checkMaterial(materialAt(place ?? 'header', name ?? 'x', value));

  const fits = (scheme: SecurityScheme): boolean => {
    const declared = scheme.apiKeySecurityScheme;
    return declared !== undefined && placeOf(declared) !== undefined && agrees(declared, { name, place });
  };
  return {
    fits,
    get(request) {
      const declared = declaredIn(request, fits);
      const where = place ?? (declared && placeOf(declared));
      const named = name ?? declared?.name;
      return where === undefined || !named ? undefined : materialAt(where, named, value);
    },
  };
}

function declaredIn({ scheme, card }: AuthRequest, fits: (scheme: SecurityScheme) => boolean): APIKeySecurityScheme | undefined {
  return (scheme ?? findScheme(card, fits))?.scheme.apiKeySecurityScheme;
}

function agrees(declared: APIKeySecurityScheme, { name, place }: { name: string | undefined; place: Place | undefined }): boolean {
  const where = placeOf(declared);
  if (place !== undefined && place !== where) return false;
  if (name === undefined) return true;
  return where === 'header' ? name.toLowerCase() === declared.name.toLowerCase() : name === declared.name;
}

function placeOf({ location }: APIKeySecurityScheme): Place | undefined {
  return PLACES.find((place) => place === location?.toLowerCase());
}

function materialAt(place: Place, name: string, value: string): AuthMaterial {
  switch (place) {
    case 'header':
      return { headers: { [name.toLowerCase()]: value } };
    case 'query':
      return { query: { [name]: value } };
    case 'cookie':
      return { cookies: { [name]: value } };
  }
}
