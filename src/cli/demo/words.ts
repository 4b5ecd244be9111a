/* Names and phrases of the demonstration data: several languages and scripts, nobody real. */

export const companyStems = [
  'Nordlicht', 'Albatros', 'Заря', 'Ёлочка', 'Silverbrook', 'Кедр', 'Meridian', 'Lumière', 'Sakura', 'Østfjord', 'Прогресс', 'Żubr',
  'Blue Heron', 'Granit', 'Ромашка', 'Castanha', 'Ülkü', 'Zephyr', 'Αιγαίο', 'Маяк', 'Quintet', 'Firefly', 'Северный ветер', 'Harbour',
]
export const companyForms = ['GmbH', 'Ltd', 'ООО', 'S.A.', 'АО', 'Inc.', 'Oy', 'Sp. z o.o.', '& Sons']
export const trades = ['Construction', 'Retail', 'Transport', 'Medicine', 'Education', 'Software', 'Food']
export const cities = ['Berlin', 'Москва', 'Lyon', 'Kraków', 'Санкт-Петербург', 'Porto', 'Αθήνα', 'Tromsø', 'İzmir', 'Казань', '東京', 'Leeds']
export const firstNames = ['Anna', 'Пётр', 'Chloé', 'Jürgen', 'Мария', 'Søren', 'Zoë', 'Алёна', 'Łukasz', 'Ελένη', 'Kenji', 'Ольга', 'Emeka', 'Тимур', 'Inês', 'Frida']
export const lastNames = ['Müller', 'Соловьёв', "O'Neill", 'García', 'Ковалёва', 'Lindqvist', 'Nowak', 'Παπαδάκη', 'Tanaka', 'Орлов', 'Çelik', 'Dupont', 'Семёнова', 'Haugen']
export const positions = ['Director', 'Buyer', 'Accountant', 'Engineer', 'Secretary', 'Head of sales']
export const goods = ['office chairs', 'yearly maintenance', 'a delivery van', 'заправка картриджей', 'accounting software', 'training for ten', 'spare parts', 'монтаж освещения']
export const stages = ['New', 'Offer sent', 'Negotiation', 'Won', 'Lost']
export const chores = ['Call back', 'Send the offer', 'Позвонить и уточнить сроки', 'Check the payment', 'Prepare the contract', 'Поздравить с днём рождения', 'Visit the site']
export const labels = ['VIP', 'Newsletter', 'Partner', 'Supplier', 'Late payer']
