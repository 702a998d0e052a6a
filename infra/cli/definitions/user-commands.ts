import { type Command, Option } from 'commander';
import {
  authMethods,
  type CreateUserOptions,
  type RoleOptions,
  userTypes,
} from '../commands/user.ts';
import type { Runner } from '../runner.ts';
import { UsageError } from '../usage-error.ts';
import { defineCommand, refuseWithout, splitList, toAction, withYes } from './common-options.ts';

const userCommands = async () => import('../commands/user.ts');

/** Commands for users, by the API, as the administrator of the data directory or as ANNALS_USER. */
export function defineUserCommands(program: Command, { run }: Runner): void {
  const user = program
    .command('user')
    .description('users: list, create, rotate, disable, roles, acl');

  defineCommand(user, 'list', 'user list')
    .description('all of them, with their roles and teams')
    .action(toAction(run, async () => (await userCommands()).listUsers));

  defineCommand(
    user,
    'create',
    'user create shop --roles "Full access"',
    'user create shop --auth-method Hmac --roles Sales --teams North,South',
    'user create anna --type regular --roles Sales',
  )
    .description('make a user, and print the key or the password')
    .argument('<userName>', 'what it logs in as')
    .addOption(new Option('--type <type>', 'of user').choices(userTypes).default('api'))
    .addOption(new Option('--auth-method <method>', 'of an API user').choices(authMethods))
    .option('--roles <roles>', 'names or ids, with commas between them', splitList)
    .option('--teams <teams>', 'names or ids, with commas between them', splitList)
    .hook('preAction', (command) => {
      const { type, authMethod } = command.opts<CreateUserOptions>();
      if (type !== 'api') refuseWithout('--type api', { '--auth-method': authMethod });
    })
    .action(toAction(run, async () => (await userCommands()).createUser));

  withYes(defineCommand(user, 'rotate', 'user rotate shop --yes'))
    .description('replace the key or the password, and print the new one')
    .argument('<userName>')
    .action(toAction(run, async () => (await userCommands()).rotateUser));

  const switchTo = (isActive: boolean) => (userName: string, _options: unknown, command: Command) =>
    run(command, async (context) => (await userCommands()).switchUser(context, userName, isActive));
  withYes(defineCommand(user, 'disable', 'user disable shop --yes'))
    .description('refuse every request of the user')
    .argument('<userName>')
    .action(switchTo(false));

  defineCommand(user, 'enable', 'user enable shop')
    .description('let a disabled user in again')
    .argument('<userName>')
    .action(switchTo(true));

  defineRights(user, run);
}

function defineRights(user: Command, run: Runner['run']): void {
  defineCommand(
    user,
    'roles',
    'user roles shop',
    'user roles shop --add Sales --remove "Full access"',
  )
    .description('show the roles of a user, or change them')
    .argument('<userName>')
    .addOption(
      new Option('--set <roles>', 'these and no others')
        .argParser(splitList)
        .conflicts(['add', 'remove']),
    )
    .option('--add <roles>', 'these too', splitList)
    .option('--remove <roles>', 'no longer these', splitList)
    .hook('preAction', (command) => refuseBoth(command.opts()))
    .action(toAction(run, async () => (await userCommands()).userRoles));

  defineCommand(user, 'acl', 'user acl shop')
    .description('what the roles of a user come to, and what it creates without seeing it')
    .argument('<userName>')
    .action(toAction(run, async () => (await import('../commands/user-acl.ts')).userAcl));
}

function refuseBoth({ add = [], remove = [] }: RoleOptions): void {
  const both = add.filter((role) => remove.includes(role));
  if (both.length > 0) throw new UsageError(`Add or remove ${both.join(', ')}, not both.`);
}
