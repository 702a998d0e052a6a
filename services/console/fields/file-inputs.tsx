import { ActionIcon, FileInput, Group, Progress, Stack, Text } from '@mantine/core';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { uploadAll } from '../api/files.ts';
import { useText } from '../language/language.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';
import { common, type InputProps, linkedOf } from './input-parts.ts';
import { FileLink } from './record-link.tsx';

/** The input of a file field. Uploads each file when it is chosen. */
export function FileInputs({
  isSeveral = false,
  ...props
}: InputProps & { readonly isSeveral?: boolean }) {
  const t = useText();
  const { entity, name, values, onChange, field } = props;
  const current = isSeveral ? linkedOf(values, name) : oneIn(values, name);
  const change = (files: readonly StoredFile[]): void =>
    onChange(
      isSeveral
        ? toSeveral(name, files)
        : { ...namedAfter(props, files), ...toOne(name, files.at(-1)) },
    );
  const uploading = useMutation({
    mutationFn: (files: readonly File[]) => uploadAll(files, { entity: entity.name, field: name }),
    onSuccess: (uploaded) => change([...current, ...uploaded]),
  });
  return (
    <Stack gap={4}>
      <DropZone onFiles={(files) => uploading.mutate(isSeveral ? files : files.slice(0, 1))}>
        <FileInput
          {...common(props)}
          placeholder={t('forms.chooseFile')}
          leftSection={<IconPaperclip size={16} aria-hidden="true" />}
          {...(field.accept === undefined ? {} : { accept: field.accept.join(',') })}
          multiple={isSeveral}
          value={isSeveral ? [] : null}
          onChange={(picked) => uploading.mutate([picked].flat().filter((file) => file !== null))}
        />
      </DropZone>
      {uploading.isPending ? (
        <Progress
          value={100}
          animated
          aria-label={t('forms.uploading', {
            name: uploading.variables.map((file) => file.name).join(', '),
          })}
        />
      ) : null}
      {uploading.error === null ? null : <ErrorDetails error={uploading.error} />}
      {current.map(({ id, name: fileName }) => (
        <Group key={id} gap="xs">
          <Text size="sm">
            <FileLink id={id} name={fileName} />
          </Text>
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={t('forms.remove', { name: fileName })}
            onClick={() => change(current.filter((one) => one.id !== id))}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

interface StoredFile {
  readonly id: string;
  readonly name: string;
}

type Values = InputProps['values'];

function oneIn(values: Values, name: string): readonly StoredFile[] {
  const id = values[`${name}Id`];
  return typeof id === 'string' ? [{ id, name: String(values[`${name}Name`] ?? id) }] : [];
}

/** Names a record without a name after the file that it represents, such as a document. */
function namedAfter({ entity, field, values }: InputProps, files: readonly StoredFile[]): Values {
  const isNameless = 'name' in entity.fields && (values['name'] ?? '') === '';
  const file = files.at(-1);
  return field.required === true && isNameless && file !== undefined ? { name: file.name } : {};
}

function toOne(name: string, file: StoredFile | undefined): Values {
  return { [`${name}Id`]: file?.id ?? null, [`${name}Name`]: file?.name ?? null };
}

function toSeveral(name: string, files: readonly StoredFile[]): Values {
  return {
    [`${name}Ids`]: files.map(({ id }) => id),
    [`${name}Names`]: Object.fromEntries(files.map((file) => [file.id, file.name])),
  };
}
