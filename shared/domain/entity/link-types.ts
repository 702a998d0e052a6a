/** How administrators link entity types; `oneToMany` is `manyToOne` seen from the other side. */
export const linkTypes = ['manyToOne', 'oneToMany', 'manyToMany', 'childrenToParent'] as const;
