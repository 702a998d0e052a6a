/** The types of links that administrators can create. `oneToMany` is `manyToOne` seen from the other side. */
export const linkTypes = ['manyToOne', 'oneToMany', 'manyToMany', 'childrenToParent'] as const;
