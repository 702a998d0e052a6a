/** Where entity types of Annals differ from what clients of EspoCRM expect, and why. */
interface Exceptions {
  readonly reason: string;
  /** Names of differences, see compareStockTypes. */
  readonly names: readonly string[];
}

/** Shown in docs/reference/entities.md. */
export const exceptions: readonly Exceptions[] = [
  {
    reason: 'Annals has no e-mails',
    names: [
      'Account.emails',
      'Account.emailsPrimary',
      'Case.emails',
      'Case.inboundEmail',
      'Case.originalEmail',
      'Contact.emails',
      'Contact.originalEmail',
      'Lead.emails',
      'Lead.originalEmail',
      'Meeting.sourceEmail',
      'Opportunity.emails',
      'Task.email',
      'Task.originalEmail',
      'Team.groupEmailFolders',
      'Team.inboundEmails',
      'User.emails',
    ],
  },
  {
    reason: 'Campaigns send no e-mails, so they have neither templates nor a log',
    names: [
      'Account.campaignLogRecords',
      'Campaign.accountsTemplate',
      'Campaign.campaignLogRecords',
      'Campaign.contactsTemplate',
      'Campaign.leadsTemplate',
      'Campaign.massEmails',
      'Campaign.trackingUrls',
      'Campaign.usersTemplate',
      'Contact.campaignLogRecords',
      'Lead.campaignLogRecords',
      'TargetList.massEmails',
      'TargetList.massEmailsExcluding',
    ],
  },
  {
    reason: 'Annals has no portals',
    names: [
      'Account.portalUsers',
      'Contact.portalUser foreign',
      'KnowledgeBaseArticle.portals',
      'Note.portals',
      'User.account',
      'User.accounts',
      'User.contact',
      'User.portal',
      'User.portalRoles',
      'User.portals',
    ],
  },
  {
    reason: 'Annals has neither folders nor categories',
    names: [
      'Document.folder',
      'EmailTemplate.category',
      'KnowledgeBaseArticle.categories',
      'TargetList.category',
    ],
  },
  {
    reason:
      'Every post belongs to a record and has content; posts to users or teams alone are not supported',
    names: [
      'Note.parent required',
      'Note.post required',
      'Note.teams',
      'Note.users',
      'Team.notes',
      'User.notes',
    ],
  },
  {
    reason: 'Stream items contain these values; they cannot be listed as links',
    names: ['Note.attachments', 'Note.related', 'Note.superParent'],
  },
  {
    reason: 'Files are read with the record that holds them, not as a link',
    names: ['EmailTemplate.attachments'],
  },
  {
    reason: 'Annals does not have these records of users',
    names: ['User.dashboardTemplate', 'User.userData', 'User.workingTimeRanges'],
  },
  {
    reason: 'Clients may set it, because Annals does not derive it from the parent',
    names: [
      'Call.account readOnly',
      'Meeting.account readOnly',
      'Task.account readOnly',
      'Task.contact readOnly',
    ],
  },
  {
    reason: 'The metadata declares it as read-only, because clients cannot set it',
    names: ['Case.number readOnly'],
  },
  {
    reason: 'Annals also has events of links',
    names: ['Webhook.type options'],
  },
  {
    reason: 'Deliveries have [their own list](webhooks.md#seeing-and-repairing)',
    names: ['Webhook.queueItems'],
  },
];
