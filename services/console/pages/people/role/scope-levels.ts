import type { Scope } from '../../../api/metadata.ts';

type Levels = Readonly<Record<string, string>>;
type LeveledScope = Pick<Scope, 'aclActionLevelListMap' | 'aclActionList' | 'aclLevelList'>;

/** Levels that a whole row of the matrix can have, from the least to the most permissive. */
export const presets = ['own', 'team', 'all'] as const;
type Preset = (typeof presets)[number];

/** Returns the levels of an action. Creation has no levels because a new record has no owner. */
export function levelsOf(scope: LeveledScope, action: string): readonly string[] {
  if (action === 'create') return ['yes', 'no'];
  return scope.aclActionLevelListMap?.[action] ?? scope.aclLevelList ?? [];
}

/** Returns the presets that a scope distinguishes: the ones that are also levels for reading its records. */
export function presetsFor(scope: LeveledScope): readonly Preset[] {
  const levels = levelsOf(scope, 'read');
  return presets.filter((preset) => levels.includes(preset) || isWhole(preset, levels));
}

/** Returns a level for each action: that of the preset, or the next lower one that the action supports. */
export function presetLevels(scope: LeveledScope, preset: Preset): Levels {
  return Object.fromEntries(
    (scope.aclActionList ?? []).map((action) => [action, levelIn(levelsOf(scope, action), preset)]),
  );
}

function levelIn(levels: readonly string[], preset: Preset): string {
  if (levels.includes('yes')) return 'yes';
  const lower = presets.slice(0, presets.indexOf(preset) + 1).toReversed();
  return lower.find((level) => levels.includes(level)) ?? 'no';
}

/** True for the most permissive preset if the levels are yes and no, which do not depend on owners. */
function isWhole(preset: Preset, levels: readonly string[]): boolean {
  return preset === 'all' && levels.includes('yes');
}

/** Returns the preset that the levels match; undefined if they match no preset. */
export function presetOf(scope: LeveledScope, levels: Levels): Preset | undefined {
  return presetsFor(scope).findLast((preset) => {
    const expected = Object.entries(presetLevels(scope, preset));
    const isComplete = expected.length === Object.keys(levels).length;
    return isComplete && expected.every(([action, level]) => levels[action] === level);
  });
}
