import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { uploadAll } from '../../api/files.ts';
import { picturesQuery } from '../../api/pictures.ts';
import { updateRecord } from '../../api/records.ts';
import { mayReadPictures, useRights } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { RecordAvatar } from '../../fields/avatar.tsx';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { toSquare } from './to-square.ts';

/** The user's own picture. Shows nothing to users who may not change it. */
export function PicturePanel() {
  const session = useUser();
  const { may, mayEditField } = useRights('User');
  const isOffered = may('edit') && mayEditField('avatar') && mayReadPictures(session);
  return isOffered ? <OwnPicture /> : null;
}

function OwnPicture() {
  const t = usePageText();
  const { user } = useUser();
  const queries = useQueryClient();
  const { data: pictures } = useQuery(picturesQuery);
  const changing = useMutation({
    async mutationFn(file: File | null) {
      const avatarId = file === null ? null : await upload(file);
      await updateRecord({ entity: 'User', id: user.id }, { avatarId });
    },
    onSuccess: async () => queries.invalidateQueries({ queryKey: ['records', 'User'] }),
  });
  const upload = async (file: File): Promise<string | undefined> => {
    const square = await toSquare(file).catch(() => undefined);
    if (square === undefined) throw new Error(t('profile.pictureUnreadable'));
    const [uploaded] = await uploadAll([square], { entity: 'User', field: 'avatar' });
    return uploaded?.id;
  };
  return (
    <Panel title={t('profile.picture')}>
      <Stack>
        <Group>
          <RecordAvatar
            entity="User"
            id={user.id}
            name={Object(user).name ?? user.userName}
            size="xl"
          />
          <FileButton
            accept="image/*"
            onChange={(file) => {
              if (file !== null) changing.mutate(file);
            }}
          >
            {(props) => (
              <Button {...props} variant="default" loading={changing.isPending}>
                {t('profile.choosePicture')}
              </Button>
            )}
          </FileButton>
          {pictures?.has(user.id) === true ? (
            <Button
              variant="default"
              disabled={changing.isPending}
              onClick={() => changing.mutate(null)}
            >
              {t('profile.removePicture')}
            </Button>
          ) : null}
        </Group>
        <Hint>{t('profile.pictureText')}</Hint>
        <ErrorAlert error={changing.error} />
      </Stack>
    </Panel>
  );
}
