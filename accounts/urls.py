"""Addresses of the account pages of our own; django-allauth's stand beside them under /accounts/."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("guest/", views.start_as_guest, name="guest"),
    path("keep/", views.keep_account, name="keep_account"),
    path("settings/", views.settings, name="settings"),
    path("avatars/<int:pk>.svg", views.drawn_avatar, name="avatar"),
]
