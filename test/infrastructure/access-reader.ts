import { expect } from 'vitest';
import type { RandomSource } from '../support/builders/random-source.ts';
import { linkedAttributes, ownAttributes, type Scope } from './access-attributes.ts';
import { some, teamIds } from './access-fields.ts';
import { isOpen, levelOf, type Role, reaches, seesStream, type Viewer } from './access-model.ts';
import { marksIn, type World } from './access-world.ts';
import type { QueryExample } from './query-example.ts';

/** A reading user, and the records that exist. */
export interface Reader {
  readonly viewer: Viewer;
  readonly world: World;
  readonly random: RandomSource;
  /** Reads a path, and expects a response without anything that the reader may not see. */
  read(path: string): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  /** Parsed JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the body is compared with the expected one.
  readonly body: any;
}

export const scopes: readonly Scope[] = ['Account', 'Contact', 'Case', 'Task', 'Opportunity'];
const levels = ['all', 'team', 'own', 'no'];
const otherScopes = ['Lead', 'User', 'Team'];
const roleIds = ['r1', 'r2', 'r3', 'r4'];

/** Draws roles, assigns them to users and teams, and picks one of the users. */
export function drawReader(example: QueryExample, world: World, random: RandomSource): Reader {
  const roles = new Map(roleIds.map((id) => [id, drawRole(random)]));
  for (const [id, role] of roles) example.addToDirectory('Role', id, { ...role });
  const ofTeams = new Map(teamIds.map((id) => [id, some(random, roleIds, 0.25)]));
  for (const [id, rolesIds] of ofTeams) example.addToDirectory('Team', id, { name: id, rolesIds });
  const member = random.pick(world.members);
  const rolesIds = some(random, roleIds, 0.3);
  const known = example.directory.record('User', member.id)?.values;
  example.addToDirectory('User', member.id, { ...known, rolesIds });
  const user = example.directory.record('User', member.id);
  if (user === undefined) throw new Error('no user');
  example.addActor(example.directory.actor(user));
  const own = [...rolesIds, ...member.teamIds.flatMap((id) => ofTeams.get(id) ?? [])];
  const viewer = { ...member, roles: own.flatMap((id) => roles.get(id) ?? []) };
  return {
    viewer,
    world,
    random,
    async read(path) {
      const { status, text, body } = await example.get(path, { 'x-actor': viewer.id });
      const leaked = marksIn(text).filter((mark) => !maySeeMark(viewer, world, mark));
      expect(leaked.map((mark) => world.marks.get(mark)).slice(0, 5), path).toEqual([]);
      expect(status, `${path}: ${text}`).toBeLessThan(500);
      return { status, body };
    },
  };
}

/** Draws a role that leaves some scopes, actions and fields unmentioned. */
function drawRole(random: RandomSource): Role {
  const data: Record<string, boolean | Record<string, string>> = {};
  for (const scope of [...scopes, ...otherScopes]) {
    if (random.chance(0.2)) continue;
    data[scope] = random.chance(0.1) ? false : drawLevels(random, scope);
  }
  if (random.chance(0.8)) data['Calendar'] = random.chance(0.8);
  const fieldData: Record<string, Record<string, Record<string, string>>> = {};
  for (const scope of scopes) {
    // Columns are an attribute of their link.
    const fields = [
      ...Object.values(ownAttributes[scope]),
      ...Object.values(linkedAttributes[scope]).map(({ field }) => field),
    ].filter((field) => !field.endsWith('Columns'));
    const closed = some(random, [...new Set(fields)], 0.15).map((field) => {
      const read = random.chance(0.8) ? 'no' : 'yes';
      return [field, random.chance(0.8) ? { read, edit: 'no' } : { edit: 'no' }] as const;
    });
    if (closed.length > 0) fieldData[scope] = Object.fromEntries(closed);
  }
  const userCalendarPermission = random.pick(['not-set', 'no', 'team', 'all']);
  return { data, fieldData, userCalendarPermission } as Role;
}

function drawLevels(random: RandomSource, scope: string): Record<string, string> {
  const isTeam = scope === 'Team';
  const actions = otherScopes.slice(1).includes(scope)
    ? ['read']
    : ['read', 'edit', 'delete', 'stream'];
  const drawn = actions
    .filter(() => random.chance(0.85))
    .map((action) => [action, random.pick(isTeam ? ['all', 'team', 'no'] : levels)] as const);
  return { create: random.pick(['yes', 'no']), ...Object.fromEntries(drawn) };
}

function maySeeMark(viewer: Viewer, { marks, records, posts }: World, text: string): boolean {
  const mark = marks.get(text);
  if (mark === undefined) throw new Error(`unknown mark ${text}`);
  const { scope, id, field } = mark;
  if (scope === 'User') return false;
  if (scope === 'Team') return maySeeTeam(viewer, id);
  if (scope === 'Note') {
    const post = posts.find((one) => one.id === id);
    return (
      post !== undefined && (post.createdById === viewer.id || seesStream(viewer, post.parent))
    );
  }
  const record = records.find((one) => one.id === id);
  return record !== undefined && reaches(viewer, record, 'read') && isOpen(viewer, scope, field);
}

export function maySeeTeam(viewer: Viewer, id: string): boolean {
  const level = levelOf(viewer, 'Team', 'read');
  return level === 'all' || (level === 'team' && viewer.teamIds.includes(id));
}
