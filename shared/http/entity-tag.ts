/** An entity tag from a request. `version` is undefined for a tag that Annals did not issue. */
interface EntityTag {
  readonly weak: boolean;
  readonly version: number | undefined;
}

/** Returns the tag for a version of a record: `"v7"`. */
export function toEntityTag(version: number): string {
  return `"v${version}"`;
}

const oneTag = /^[\t ]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*$/;

/** Parses If-Match or If-None-Match (RFC 9110, 8.8.3): `*`, or a list of tags. Returns undefined if it is neither. */
export function parseEntityTags(header: string): 'any' | readonly EntityTag[] | undefined {
  if (header.trim() === '*') return 'any';
  const tags: EntityTag[] = [];
  // A tag may contain commas. Tags from this API do not, and a fragment of a foreign tag does not match the pattern.
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
