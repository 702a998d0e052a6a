import type { Entity, Metadata } from '../api/metadata.ts';

/** Entity types whose records people work with, as the API lists them. */
export function tabsOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(({ scope }) => scope.tab);
}
