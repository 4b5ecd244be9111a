import { createSetting, deleteSetting, updateSetting, userSettings, type UserSetting } from '../../store/people/user-settings.ts'
import { json, string } from './forms.ts'
import { defineResource, writers } from './resource.ts'

/** The caller's own settings: of their pages, not of the service. */
export const setting = defineResource<UserSetting>({
  type: 'setting',
  token: 'unlimited',
  plural: 'your settings',
  relation: userSettings,
  members: {
    key: {
      of: 'name',
      form: string,
      required: true,
      set: 'once',
      says: 'Its name: 1 to 64 letters, digits and `.` `-` `_`. A user has one setting of a key.',
    },
    value: { of: 'value', form: json, says: 'Any JSON. Default: null.' },
  },
  create: { ...writers('change settings', createSetting), fails: ['field.not_unique'] },
  update: writers('change settings', updateSetting),
  remove: writers('change settings', deleteSetting),
})
