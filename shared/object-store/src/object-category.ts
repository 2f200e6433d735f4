/** The objects whose keys begin with `<name>/`. The keys of a store may be restricted to some categories. */
export interface ObjectCategory {
  name: string
  /**
   * Without the right to read and write them: `fatal`, the store cannot be used; `unchecked`, whoever needs them finds out; else a
   * warning.
   */
  withoutRights: 'fatal' | 'unchecked' | { warning: string }
  /** The consequence if a rule of the bucket deletes these objects, for a warning. Absent: none. */
  ifDeleted?: string
}
