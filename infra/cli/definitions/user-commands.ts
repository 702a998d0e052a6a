import { type Command, Option } from 'commander';
import type { Runner } from '../command-context.ts';
import {
  authMethods,
  type CreateUserOptions,
  type RoleOptions,
  userTypes,
} from '../commands/user.ts';
import { UsageError } from '../usage-error.ts';
import { defineCommand, refuseWithout, splitList, toAction, withYes } from './common-options.ts';

const userCommands = async () => import('../commands/user.ts');

/** Defines the commands for users. They call the API as the administrator in the data directory or as ANNALS_USER. */
export function defineUserCommands(program: Command, { run }: Runner): void {
  const user = program
    .command('user')
    .description('users: list, create, rotate, disable, roles, acl');

  defineCommand(user, 'list', 'user list')
    .description('list all users with their roles and teams')
    .action(toAction(run, async () => (await userCommands()).listUsers));

  defineCommand(
    user,
    'create',
    'user create shop --roles "Full access"',
    'user create shop --auth-method Hmac --roles Sales --teams North,South',
    'user create anna --type regular --roles Sales',
  )
    .description('create a user, and print the key or the password')
    .argument('<userName>', 'name for logging in')
    .addOption(new Option('--type <type>', 'type of user').choices(userTypes).default('api'))
    .addOption(
      new Option('--auth-method <method>', 'authentication method of an API user').choices(
        authMethods,
      ),
    )
    .option('--roles <roles>', 'comma-separated names or ids', splitList)
    .option('--teams <teams>', 'comma-separated names or ids', splitList)
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
    .description('reject every request of the user')
    .argument('<userName>')
    .action(switchTo(false));

  defineCommand(user, 'enable', 'user enable shop')
    .description('enable a disabled user')
    .argument('<userName>')
    .action(switchTo(true));

  definePermissions(user, run);
}

function definePermissions(user: Command, run: Runner['run']): void {
  defineCommand(
    user,
    'roles',
    'user roles shop',
    'user roles shop --add Sales --remove "Full access"',
  )
    .description('show the roles of a user, or change them')
    .argument('<userName>')
    .addOption(
      new Option('--set <roles>', 'replace all roles with these')
        .argParser(splitList)
        .conflicts(['add', 'remove']),
    )
    .option('--add <roles>', 'add these roles', splitList)
    .option('--remove <roles>', 'remove these roles', splitList)
    .hook('preAction', (command) => refuseBoth(command.opts()))
    .action(toAction(run, async () => (await userCommands()).userRoles));

  defineCommand(user, 'acl', 'user acl shop')
    .description(
      'show the merged permissions of a user, and which records it can create but not read',
    )
    .argument('<userName>')
    .action(toAction(run, async () => (await import('../commands/user-acl.ts')).userAcl));
}

function refuseBoth({ add = [], remove = [] }: RoleOptions): void {
  const both = add.filter((role) => remove.includes(role));
  if (both.length > 0) throw new UsageError(`Add or remove ${both.join(', ')}, not both.`);
}
