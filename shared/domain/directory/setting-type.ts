/** Entity type of settings of the installation in the directory log. */
export const settingType = 'Setting';
