/** Several credentials, chosen by what the card declares. */
import { A2AError } from '../../protocol/errors.js';
import type { AuthMaterial, AuthRequest, Credentials, DeclaredScheme } from './credentials.js';
import { type Alternative, alternativesOf } from './declared.js';
import { checkMaterial, joinMaterial, NO_MATERIAL, sameMaterial } from './material.js';

/** Those that may meet a scheme, in the order to try them. */
type Find = (declared: DeclaredScheme) => readonly Credentials[];

/**
 * Credentials by the names of the card's schemes. The first of the card's alternatives that can be met in full is taken; where the card
 * declares nothing, all of them are sent. For a client certificate, which TLS presents, give `{ get: () => ({}) }` under its name.
 */
export function credentialsFor(bySchemeName: Readonly<Record<string, Credentials>>): Credentials {
  const given = { ...bySchemeName };
  for (const [name, each] of Object.entries(given)) {
    if (typeof each?.get !== 'function')
      throw new A2AError('INVALID_PARAMS', `credentialsFor got something else than credentials as ${name}`);
  }
  return chooser(Object.values(given), ({ name }) => Object.entries(given).flatMap(([key, each]) => (key === name ? [each] : [])));
}

/** The same without knowing the card's names: whichever of these fits a declared scheme, earlier ones first. */
export function chooseCredentials(...list: readonly Credentials[]): Credentials {
  if (list.length === 0) throw new A2AError('INVALID_PARAMS', 'chooseCredentials takes at least one');
  return {
    ...chooser(list, ({ scheme }) => list.filter((each) => each.fits?.(scheme))),
    fits: (scheme) => list.some((each) => each.fits?.(scheme)),
  };
}

function chooser(all: readonly Credentials[], find: Find): Credentials {
  return {
    get(request) {
      const alternatives = alternativesOf(request.card);
      const nothingDeclared = (request.card?.securityRequirements ?? []).length === 0;
      return nothingDeclared ? allOf(all, request) : firstThatIsMet(alternatives, find, request);
    },
  };
}

/** Earlier ones win where two want the same place: what nobody declared, nobody can put right. */
async function allOf(all: readonly Credentials[], request: AuthRequest): Promise<AuthMaterial> {
  let joined = NO_MATERIAL;
  for (const each of all) {
    const material = checkMaterial(await each.get(request));
    joined = {
      headers: { ...material.headers, ...joined.headers },
      query: { ...material.query, ...joined.query },
      cookies: { ...material.cookies, ...joined.cookies },
    };
  }
  return joined;
}

/** After a refusal, an alternative that would send the same again is passed over. */
async function firstThatIsMet(alternatives: readonly Alternative[], find: Find, request: AuthRequest): Promise<AuthMaterial | undefined> {
  const refused = request.refused && checkMaterial(request.refused.material);
  for (const { schemes } of alternatives) {
    const material = await meet(schemes, find, request);
    if (material && !(refused && sameMaterial(checkMaterial(material), refused))) return material;
  }
  return undefined;
}

async function meet(schemes: readonly DeclaredScheme[], find: Find, request: AuthRequest): Promise<AuthMaterial | undefined> {
  const found = schemes.map((scheme) => ({ scheme, candidates: find(scheme) }));
  // Nothing is got for an alternative that can not be met anyway.
  if (found.some(({ candidates }) => candidates.length === 0)) return undefined;
  let joined = NO_MATERIAL;
  for (const { scheme, candidates } of found) {
    const material = await firstGiven(candidates, { ...request, scheme });
    if (material === undefined) return undefined;
    joined = joinMaterial(joined, checkMaterial(material));
  }
  return joined;
}

async function firstGiven(candidates: readonly Credentials[], request: AuthRequest): Promise<AuthMaterial | undefined> {
  for (const each of candidates) {
    const material = await each.get(request);
    if (material) return material;
  }
  return undefined;
}
