/** The entity type of installation settings in the directory log. */
export const settingType = 'Setting';
