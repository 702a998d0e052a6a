import { compareStockTypes, type EntityDefs } from './compare-stock-types.ts';
import { exceptions } from './exceptions.ts';
import { readStockTypes } from './read-stock-types.ts';

/** Returns differences without a reason, and reasons without a difference, one line each. */
export function unexplainedDifferences(entityDefs: EntityDefs): readonly string[] {
  const differences = compareStockTypes(entityDefs, readStockTypes());
  const excepted = new Set(exceptions.flatMap(({ names }) => names));
  const found = new Set(differences.map(({ name }) => name));
  return [
    ...differences
      .filter(({ name }) => !excepted.has(name))
      .map((one) => `${one.name}: expected ${one.expected}, found ${one.found}`),
    ...[...excepted.difference(found)].map(
      (name) => `${name}: has an exception, but does not differ`,
    ),
  ];
}
