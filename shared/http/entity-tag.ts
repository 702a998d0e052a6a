/** An entity tag of a request. A tag that Annals did not make has no version. */
export interface EntityTag {
  readonly weak: boolean;
  readonly version: number | undefined;
}

/** The tag of one version of a record: `"v7"`. */
export function toEntityTag(version: number): string {
  return `"v${version}"`;
}

const oneTag = /^[\t ]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*$/;

/** The value of If-Match or If-None-Match (RFC 9110, 8.8.3): `*`, or a list. Undefined if it is neither. */
export function parseEntityTags(header: string): 'any' | readonly EntityTag[] | undefined {
  if (header.trim() === '*') return 'any';
  const tags: EntityTag[] = [];
  // Tags may contain commas. Those of this API have none, and a fragment of another tag is no tag.
  for (const part of header.split(/,(?=[\t ]*(?:W\/)?")/)) {
    const found = oneTag.exec(part);
    if (found === null) return undefined;
    const version = /^v(\d{1,10})$/.exec(found[2] ?? '')?.[1];
    tags.push({
      weak: found[1] !== undefined,
      version: version === undefined ? undefined : Number(version),
    });
  }
  return tags;
}
