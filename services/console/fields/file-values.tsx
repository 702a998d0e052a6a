import { Group, Image, Stack } from '@mantine/core';
import { useState } from 'react';
import { linkedOf } from './input-parts.ts';
import { isPictureName } from './picture-names.ts';
import { FileLink, fileAddress } from './record-link.tsx';
import type { ValueProps } from './simple-values.tsx';

interface StoredFile {
  readonly id: string;
  readonly name: unknown;
}

export function FileValue(props: ValueProps) {
  const [file] = fileOf(props);
  return file === undefined ? null : <FileWithThumbnail {...file} />;
}

export function FilesValue({ record, name }: ValueProps) {
  const files = linkedOf(record, name);
  if (files.length === 0) return null;
  return (
    <Group gap="sm" align="flex-end">
      {files.map((file) => (
        <FileWithThumbnail key={file.id} {...file} />
      ))}
    </Group>
  );
}

/** A file in a list, which shows no thumbnails. */
export function FileCell(props: ValueProps) {
  return fileOf(props).map((file) => <FileLink key={file.id} {...file} />);
}

export function FilesCell({ record, name }: ValueProps) {
  return linkedOf(record, name).map((file) => <FileLink key={file.id} {...file} />);
}

function fileOf({ record, name }: ValueProps): readonly StoredFile[] {
  const id = record[`${name}Id`];
  return typeof id === 'string' && id !== '' ? [{ id, name: record[`${name}Name`] }] : [];
}

const thumbnailHeight = 96;

/** A download, with a thumbnail if the server serves the file as a picture. */
function FileWithThumbnail(file: StoredFile) {
  const [isBroken, setIsBroken] = useState(false);
  if (!isPictureName(file.name) || isBroken) return <FileLink {...file} />;
  return (
    <Stack gap={4} align="flex-start">
      <Image
        src={fileAddress(file.id)}
        alt=""
        loading="lazy"
        h={thumbnailHeight}
        w="auto"
        maw="100%"
        fit="contain"
        radius="sm"
        onError={() => setIsBroken(true)}
      />
      <FileLink {...file} />
    </Stack>
  );
}
