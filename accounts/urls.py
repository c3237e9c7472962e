"""Addresses of all account pages, under /accounts/.

django-allauth's views stand here one by one and not as its whole list: what is not used (log-in by code, telephone
numbers and others) has no address. Their names are allauth's, because it redirects by them.
"""

from allauth.account import views as entrance
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import views
from accounts.notifications import views as notices
from accounts.notifications.unsubscribe import unsubscribe
from accounts.views import full_account_required

urlpatterns = [
    path("guest/", views.start_as_guest, name="guest"),
    path("keep/", views.keep_account, name="keep_account"),
    path("settings/", views.settings_page, name="settings"),
    path("settings/notices/", notices.notices_page, name="notices"),
    re_path(r"^unsubscribe/(?P<token>[-:\w]{1,500})/$", unsubscribe, name="unsubscribe"),
    path("push/", notices.push_subscription, name="push_subscription"),
    re_path(r"^avatars/(?P<number>[0-9]{1,18})-(?P<initial>[A-Z0-9])\.svg$", views.drawn_avatar, name="avatar"),
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("login/", entrance.LoginView.as_view(extra_context={"here": "log-in"}), name="account_login"),
    path("logout/", views.LogoutView.as_view(), name="account_logout"),
    path("closed/", entrance.account_inactive, name="account_inactive"),
    path("password-again/", full_account_required(entrance.reauthenticate), name="account_reauthenticate"),
    path("email/", full_account_required(entrance.email), name="account_email"),
    re_path(r"^email/confirm/(?P<key>[-:\w]+)/$", entrance.confirm_email, name="account_confirm_email"),
    path("password/", full_account_required(entrance.password_change), name="account_change_password"),
    # Only an account without a password is sent here by allauth, which is a guest's.
    path("password/set/", RedirectView.as_view(pattern_name="keep_account"), name="account_set_password"),
    path("password/reset/", entrance.password_reset, name="account_reset_password"),
    path("password/reset/sent/", entrance.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        entrance.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/reset/done/", entrance.password_reset_from_key_done, name="account_reset_password_from_key_done"),
]
