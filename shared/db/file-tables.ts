/** The schema of the bytes of files: its tables are filled by the projector, from a topic of their own. */
export const fileSchema = 'annals_files';
