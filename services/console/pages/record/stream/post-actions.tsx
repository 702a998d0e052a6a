import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import { type AnyRecord, removeRecord, updateRecord } from '../../../api/records.ts';
import { useRecordRights } from '../../../api/rights.ts';
import { useUser } from '../../../api/session.ts';
import { type StreamItem, setPinned } from '../../../api/stream.ts';
import { useText } from '../../../language/language.tsx';
import { DialogActions } from '../../../parts/dialog.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { PostText } from './post-text.tsx';
import { useStreamChange } from './use-stream-change.ts';

/** The menu of a post: pinning for users who may edit the record; editing and deleting for its author and administrators. */
export function PostMenu(props: {
  readonly item: StreamItem;
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly onEdit: () => void;
}) {
  const t = useText();
  const { item, entity, record, onEdit } = props;
  const { user } = useUser();
  const mayPin = useRecordRights(entity, record).edit.isGranted;
  const isOwn = user.isAdmin || item.createdById === user.id;
  const [isDeleting, dialog] = useDisclosure();
  const isPinned = item.isPinned === true;
  const pinning = useStreamChange(item, async (pinned: boolean) => setPinned(item.id, pinned));
  if (!mayPin && !isOwn) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={t('stream.actions')}
            loading={pinning.isPending}
          >
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayPin ? (
            <Menu.Item onClick={() => pinning.mutate(!isPinned)}>
              {t(isPinned ? 'stream.unpin' : 'stream.pin')}
            </Menu.Item>
          ) : null}
          {isOwn ? (
            <>
              <Menu.Item onClick={onEdit}>{t('record.edit')}</Menu.Item>
              <Menu.Item onClick={dialog.open}>{t('record.delete')}</Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <DeleteDialog item={item} isOpen={isDeleting} onClose={dialog.close} />
      {pinning.error === null ? null : <ErrorDetails error={pinning.error} />}
    </>
  );
}

function DeleteDialog(props: {
  readonly item: StreamItem;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { item, isOpen, onClose } = props;
  const removing = useStreamChange(item, async () => removeRecord('Note', item.id));
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('stream.deleteTitle')}>
      <Stack>
        <Text size="sm" lineClamp={4} className="field-value">
          {item.post}
        </Text>
        {removing.error === null ? null : <ErrorDetails error={removing.error} />}
        <DialogActions
          label={t('record.delete')}
          color="red"
          isPending={removing.isPending}
          onAct={() => removing.mutate(undefined)}
          onCancel={onClose}
        />
      </Stack>
    </Modal>
  );
}

/** Edits the text of a post. */
export function EditPost(props: { readonly item: StreamItem; readonly onDone: () => void }) {
  const t = useText();
  const { item, onDone } = props;
  const [text, setText] = useState(item.post ?? '');
  const saving = useStreamChange(item, async () => {
    await updateRecord({ entity: 'Note', id: item.id }, { post: text });
    onDone();
  });
  const isEmpty = text.trim() === '' && (item.attachmentsIds ?? []).length === 0;
  return (
    <Stack gap="xs">
      <PostText label={t('stream.editPost')} text={text} onText={setText} />
      {saving.error === null ? null : <ErrorDetails error={saving.error} />}
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={isEmpty}
          loading={saving.isPending}
          onClick={() => saving.mutate(undefined)}
        >
          {t('parts.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {t('parts.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
