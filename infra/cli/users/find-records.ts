import { OperatorError } from '../../local/operator-error.ts';
import { callApi, callVersioned } from '../call-api.ts';
import type { Installation } from '../installation.ts';

export interface ApiRecord {
  readonly id: string;
  readonly [attribute: string]: unknown;
}

const PAGE = 200;

/** Reads all records of a type, ordered by an attribute. */
export async function listRecords(
  installation: Installation,
  { entityType, select, orderBy }: Readonly<Record<'entityType' | 'select' | 'orderBy', string>>,
): Promise<readonly ApiRecord[]> {
  const found: ApiRecord[] = [];
  for (;;) {
    const query = new URLSearchParams({
      select,
      orderBy,
      order: 'asc',
      maxSize: String(PAGE),
      offset: String(found.length),
    });
    const response = await callApi(installation, {
      method: 'GET',
      path: `/${entityType}?${query}`,
    });
    const { list } = response as { readonly list: readonly ApiRecord[] };
    found.push(...list);
    if (list.length < PAGE) return found;
  }
}

export interface FoundUser {
  readonly user: ApiRecord;
  /** The value for If-Match, so that one of two concurrent changes is rejected. */
  readonly version: string | undefined;
}

/** Finds a user by name. Throws OperatorError if the user does not exist. */
export async function findUser(installation: Installation, userName: string): Promise<FoundUser> {
  const query = new URLSearchParams({
    'where[0][type]': 'equals',
    'where[0][attribute]': 'userName',
    'where[0][value]': userName,
  });
  const response = await callApi(installation, { method: 'GET', path: `/User?${query}` });
  const [user] = (response as { readonly list: readonly ApiRecord[] }).list;
  if (user === undefined) {
    throw new OperatorError(`User ${userName} does not exist: see annals user list.`);
  }
  const call = { method: 'GET', path: `/User/${user.id}` } as const;
  const { body, version } = await callVersioned(installation, call);
  return { user: body as ApiRecord, version };
}

/**
 * Returns the ids of roles or teams that are given by name or id. Throws OperatorError, listing any that do not exist.
 */
export async function findNamedIds(
  installation: Installation,
  entityType: 'Role' | 'Team',
  wanted: readonly string[],
): Promise<readonly string[]> {
  if (wanted.length === 0) return [];
  const list = await listRecords(installation, { entityType, select: 'name', orderBy: 'name' });
  const found = wanted.map((text) => ({
    text,
    matches: list.filter(({ id, ...values }) => id === text || values['name'] === text),
  }));
  const kind = entityType.toLowerCase();
  const missing = found.filter(({ matches }) => matches.length === 0).map(({ text }) => text);
  if (missing.length > 0) {
    const known = list.map((one) => one['name']).join(', ') || 'none';
    throw new OperatorError(
      `Unknown ${kind}: ${missing.join(', ')}. Existing: ${known}. Nothing was changed.`,
    );
  }
  const unclear = found.filter(({ matches }) => matches.length > 1).map(({ text }) => text);
  if (unclear.length > 0) {
    throw new OperatorError(
      `More than one ${kind} is named ${unclear.join(', ')}: use ids instead. Nothing was changed.`,
    );
  }
  return found.flatMap(({ matches }) => matches.map(({ id }) => id));
}
